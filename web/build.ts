/// <reference types="node" />
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { build, type Manifest } from 'vite'
import { htmlFile, notFoundPage, pages } from '../contract/pages.ts'

const root = join(import.meta.dirname, '..')
const site = join(root, 'dist/web')
const prerenderer = join(root, 'dist/prerender')

/** The parts (vite.config.ts) that app.tsx loads for a route, so that the HTML of the route can preload them. */
const parts: Record<string, string[]> = {
  // The login leads to the dashboard.
  '/login': ['public', 'credentials', 'dashboard'],
  '/signup': ['public', 'credentials', 'dashboard'],
  '/reset-password': ['public', 'credentials'],
  '/dashboard': ['dashboard'],
}

await build({ build: { manifest: true }, logLevel: 'warn' })
const headScript = `<script src="/${await buildScript('head-script.ts', 'assets/head-[hash].js')}"></script>`
await prerenderPages()
await buildWorkers()
await compressFiles()

/**
 * A script in one file that is not a module. The script that applies the theme runs before the first paint, and modules run
 * after the page is parsed. Firefox starts no service workers that are modules. Returns the file's name.
 */
async function buildScript(source: string, name: string, define: Record<string, unknown> = {}) {
  const result = await build({
    configFile: false,
    root: import.meta.dirname,
    publicDir: false,
    define: Object.fromEntries(Object.entries(define).map(([key, value]) => [key, JSON.stringify(value)])),
    build: {
      outDir: site,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(import.meta.dirname, source),
        output: { format: 'iife', entryFileNames: name },
      },
    },
    logLevel: 'warn',
  })
  const [{ output = [] } = {}] = [result].flat() as { output?: { fileName: string }[] }[]
  return output[0]?.fileName ?? ''
}

async function buildWorkers() {
  const assets = (await readdir(join(site, 'assets'))).sort()
  const hashes = {
    '/': await hashOf(htmlFile('/')),
    '/dashboard': await hashOf(htmlFile('/dashboard')),
    ...Object.fromEntries(
      await Promise.all(assets.map(async (name) => [`/assets/${name}`, await hashOf(`assets/${name}`)])),
    ),
  }
  const build = createHash('sha256').update(JSON.stringify(hashes)).digest('hex').slice(0, 16)
  await buildScript('worker/service-worker.ts', 'service-worker.js', { hashes, build })
  await buildScript('worker/removing-worker.ts', 'removing-worker.js')
}

async function hashOf(file: string) {
  const contents = await readFile(join(site, file))
  return createHash('sha256').update(contents).digest('hex')
}

/** Prerenders every route to HTML that can be read without script, with links to its styles. */
async function prerenderPages() {
  await build({
    build: { ssr: 'prerender.tsx', outDir: prerenderer, copyPublicDir: false },
    logLevel: 'warn',
  })
  const { render } = await import(join(prerenderer, 'prerender.js'))
  const template = await readFile(join(site, 'index.html'), 'utf8')
  const manifest: Manifest = JSON.parse(await readFile(join(site, '.vite/manifest.json'), 'utf8'))
  // Without the preload the font would be requested only after the style sheet has loaded.
  const [font] = (await readdir(join(site, 'assets'))).filter((name) => name.endsWith('.woff2'))
  const fontLink = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${font}">`

  for (const [path, { title, description }] of Object.entries({ ...pages, '/404': notFoundPage })) {
    const html = template
      .replace(/<title>.*<\/title>/, `<title>${title}</title>`)
      .replace(/(<meta name="description" content=")[^"]*/, `$1${description}`)
      .replace('</head>', `${headScript}${fontLink}${linksOf(manifest, parts[path] ?? ['public'])}</head>`)
      .replace('<div id="root"></div>', `<div id="root">${await render(path)}</div>`)
    rejectInline(path, html)
    await writeFile(join(site, htmlFile(path)), html)
  }
  await rm(prerenderer, { recursive: true })
  await rm(join(site, '.vite'), { recursive: true })
}

function linksOf(manifest: Manifest, parts: string[]) {
  const linked = neededBy(manifest, ['main'])
  return [...neededBy(manifest, parts)]
    .filter((name) => !linked.has(name))
    .map((name) => manifest[name])
    .flatMap((part) => [
      ...(part?.css ?? []).map((path) => `<link rel="stylesheet" href="/${path}">`),
      `<link rel="modulepreload" href="/${part?.file}">`,
    ])
    .join('')
}

function neededBy(manifest: Manifest, parts: string[]): Set<string> {
  const names = new Set(Object.keys(manifest).filter((key) => parts.includes(manifest[key]?.name ?? '')))
  for (const name of names) for (const needed of manifest[name]?.imports ?? []) names.add(needed)
  return names
}

/** Stops the build on inline scripts and styles: the server's Content-Security-Policy would block them. */
function rejectInline(path: string, html: string) {
  const inline = html.match(/<script(?![^>]*\ssrc=)[^>]*>|<style[\s>]|\sstyle="/)
  if (inline) throw new Error(`${path} has an inline script or style: ${inline[0]}`)
}

/** Writes a .br and a .gz beside every compressible file, so that the server compresses nothing itself. */
async function compressFiles() {
  const compressible = new Set(['.html', '.js', '.css', '.svg', '.txt', '.json', '.webmanifest'])
  const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }
  for (const name of await readdir(site, { recursive: true })) {
    if (!compressible.has(extname(name))) continue
    const bytes = await readFile(join(site, name))
    await writeFile(join(site, `${name}.br`), await promisify(brotliCompress)(bytes, quality))
    await writeFile(join(site, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
}
