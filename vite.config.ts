import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'web',
  // web/public/ holds the public screens, so files that are served as they are live in web/static/.
  publicDir: 'static',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Inlined files would require `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Login, signup and dashboard all need these: one file is one request and compresses better than five.
          groups: [
            {
              name: 'forms',
              test: /react-toastify|clsx|web\/ui\/(field|form|notice|password-input|toasts|use-one-at-a-time)/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.DAYMARK_SERVER ?? 'http://127.0.0.1:3000' } },
})
