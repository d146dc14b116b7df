import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const main = join(import.meta.dirname, 'web/main.tsx')
const publicLayout = join(import.meta.dirname, 'web/public/public-layout.tsx')
const landing = join(import.meta.dirname, 'web/public/landing.tsx')
const dashboard = join(import.meta.dirname, 'web/dashboard/dashboard.tsx')

export default defineConfig({
  root: 'web',
  // web/public/ holds the public screens, so files that are served as they are live in web/static/.
  publicDir: 'static',
  plugins: [react(), chunkLoader()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Inlined files would require `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Vite names no files for a chunk that needs only its own, and the page asks whether the server still has the named ones.
      resolveDependencies: (chunk, files, { hostType }) =>
        hostType === 'js' && files.length === 0 ? [chunk] : files,
    },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // Each name of a later chunk is in the first load. Hashes do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Login, signup and dashboard need these, and the landing page only of a person signed in: one file is one request and compresses better than five.
          groups: [
            {
              name: 'forms',
              test: /react-toastify|clsx|web\/(api\/(client|page-client|new-version)|ui\/(field|form|notice|toasts|use-attempt|use-one-at-a-time))/,
            },
            // The dashboard needs these once it has all tasks, and so do its forms and settings.
            {
              name: 'reminders',
              test: /web\/(reminders\/(due-reminders|reminder-watch)|settings\/push|tasks\/reminders\/reminder-text)\./,
            },
            // Each chunk takes bytes of the first load, so what is needed together is one.
            {
              name: 'form-tools',
              test: /web\/tasks\/form\/(body-links|continued-list|form-tools|(reminders|repeat)-field|rule-choices|words-offer)\./,
            },
            { name: 'line-tools', test: /web\/tasks\/quick-add\/(line-help|pasted-|quick-chip)/ },
            { name: 'repeat-tools', test: /web\/tasks\/repeat\/(coming-|occurrences|repeat\.css)/ },
            { name: partOf },
          ],
        },
      },
    },
  },
  // The parts of a worker that it loads later need modules.
  worker: { format: 'es', rolldownOptions: { checks: { ineffectiveDynamicImport: false } } },
  server: { proxy: { '/api/v1': process.env.DAYMARK_SERVER ?? 'http://127.0.0.1:3000' } },
})

/** Lets every `import()` call a function of the page instead of Vite's own, with the files that the chunk needs. */
function chunkLoader(): Plugin {
  const loader = JSON.stringify(join(import.meta.dirname, 'web/ui/load-chunk.ts'))
  return {
    name: 'chunk-loader',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: () => `export { loadChunk as __vitePreload } from ${loader}`,
    },
  }
}

type Modules = { getModuleInfo: (id: string) => { importedIds: string[] } | null }

/**
 * The chunk of a module that the first load needs. Without it the bundler divides those modules by which of the later
 * chunks share them, into many small files, which compress worse.
 */
function partOf(id: string, modules: Modules): string | null {
  // The modules at which they begin have chunks of their own, by whose names web/build.ts finds the others.
  if ([main, publicLayout, landing, dashboard].includes(id)) return null
  if (needs(modules, main).has(id)) return 'main-parts'
  if (!needs(modules, dashboard).has(id)) return null
  // The picture on the landing page is made of real cards.
  const isPublic = [publicLayout, landing].some((page) => needs(modules, page).has(id))
  return isPublic ? 'main-parts' : 'dashboard-parts'
}

/** The module and all its imports, without those that it loads later. */
function needs(modules: Modules, id: string, found = new Set<string>()): Set<string> {
  found.add(id)
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) {
    if (!found.has(next)) needs(modules, next, found)
  }
  return found
}
