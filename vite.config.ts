import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Where the parts of the page begin. Each part is one file of script and one of styles, because a request and a small file cost more than
 * bytes. A module belongs to the first part that needs it, but what some of them share is a part of its own (`partOf`).
 */
const parts = {
  main: ['main.tsx'],
  forms: ['ui/public-toasts.tsx', 'ui/credential-fields.tsx'],
  dashboard: ['dashboard/dashboard.tsx'],
  device: ['engine/store/device.ts'],
  public: ['parts/public.ts'],
  credentials: ['parts/credentials.ts'],
  rest: ['parts/rest.ts', 'engine/verbs/derived-changes.ts'],
  notes: ['parts/notes.ts', 'engine/notes/notes.ts'],
  editor: ['parts/editor.ts'],
  importing: ['parts/importing.ts'],
}

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
        // The names of the later parts are in the first load, and hashes do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Login, signup and dashboard need these, and the landing page only of a person signed in: one file is one request and compresses better than five.
          groups: [{ name: partOf }],
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

/** The part of a module. The bundler would divide the modules into many small files, by which of the parts share them. */
function partOf(id: string, modules: Modules): string | null {
  const users = names.filter((part) => neededBy(modules, part).has(id))
  const [first = null] = users
  // The picture on the landing page is made of real cards.
  if (users.includes('dashboard') && users.includes('public')) return 'main'
  if (first === 'dashboard' && users.includes('credentials')) return 'forms'
  if (first === 'rest' && users.includes('notes')) return 'texts'
  return first
}

type Part = keyof typeof parts
const names = Object.keys(parts) as Part[]

/** The modules at which the part begins and all their imports, without those that they load later. */
function neededBy(modules: Modules, part: Part): Set<string> {
  const found = new Set(parts[part].map((path) => join(import.meta.dirname, 'web', path)))
  for (const id of found) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}
