import { join } from 'node:path'
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
            // All that the dashboard needs at once: otherwise it is divided by which of the later chunks share it.
            { name: (id, context) => (isOfDashboard(id, context) ? 'dashboard-parts' : null) },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.DAYMARK_SERVER ?? 'http://127.0.0.1:3000' } },
})

type Modules = { getModuleInfo: (id: string) => { importedIds: string[] } | null }

/** Whether the dashboard needs a module at once that the first chunk does not contain. */
function isOfDashboard(id: string, modules: Modules): boolean {
  const dashboard = join(import.meta.dirname, 'web/dashboard/dashboard.tsx')
  const first = join(import.meta.dirname, 'web/main.tsx')
  return id !== dashboard && needs(modules, dashboard).has(id) && !needs(modules, first).has(id)
}

/** The module and all that it imports, not what it loads later. */
function needs(modules: Modules, id: string, found = new Set<string>()): Set<string> {
  found.add(id)
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) {
    if (!found.has(next)) needs(modules, next, found)
  }
  return found
}
