import { createListeners } from '../api/listeners.ts'
import { untilPageStays } from '../api/page-unload.ts'

/** The files of chunks that have loaded or are being loaded, by address. */
const files = new Map<string, Promise<unknown>>()

/** Chromium alone requests a module again that could not be loaded, and Chromium alone has `userAgentData`. */
const forgetsFailures = 'userAgentData' in navigator

/**
 * Loads a chunk: the build lets every `import()` in the page call this (vite.config.ts). Firefox and Safari remember that
 * a module could not be loaded, so that importing it again always fails. There, the files are therefore fetched into the
 * browser's cache first, and a module is imported only when all of them have arrived: a failed fetch can be repeated.
 */
export async function loadChunk<Module>(importChunk: () => Promise<Module>, names: string[] = []) {
  try {
    await Promise.all(names.map((name) => arrivalOf(`/${name}`)))
    return await importChunk()
  } catch (error) {
    await untilPageStays()
    outdated = (await Promise.all(names.map(isMissing))).includes(true)
    if (outdated) outdatedChunks.tell()
    throw error
  }
}

/** Whether the last chunk that could not be loaded is no longer on the server, which has another build. */
let outdated = false
export const isOutdated = (): boolean => outdated

const outdatedChunks = createListeners()

/** Calls the listener when a chunk is no longer on the server. Returns the function that stops it. */
export const onOutdated = outdatedChunks.subscribe

/** In milliseconds: how long a failure waits for the answer that explains it. */
const patience = 5000

/** Asks past the browser's cache, so that a wrong answer does not stay there. */
async function isMissing(name: string): Promise<boolean> {
  const response = await fetch(`/${name}`, { cache: 'reload', signal: AbortSignal.timeout(patience) }).catch(
    () => undefined,
  )
  return response !== undefined && (response.status === 404 || response.status === 410 || isPage(response))
}

/** Some servers answer with a page where there is no file. */
const isPage = (response: Response): boolean =>
  response.ok && response.headers.get('content-type')?.startsWith('text/html') === true

function arrivalOf(address: string): Promise<unknown> {
  const arrival = files.get(address) ?? (isInDocument(address) ? Promise.resolve() : load(address))
  files.set(address, arrival)
  arrival.catch(() => files.delete(address))
  return arrival
}

const isInDocument = (address: string) =>
  document.querySelector(`link[href="${address}"], script[src="${address}"]`) !== null

async function load(address: string) {
  if (address.endsWith('.css')) return await applyStyles(address)
  // The import reports a failure.
  if (forgetsFailures) return void addLink('modulepreload', address)
  const response = await fetch(address)
  if (!response.ok || isPage(response)) throw notLoaded(address)
  await response.arrayBuffer()
}

const applyStyles = (address: string) =>
  new Promise((resolve, reject) => {
    const link = addLink('stylesheet', address)
    link.addEventListener('load', resolve)
    link.addEventListener('error', () => {
      link.remove()
      reject(notLoaded(address))
    })
  })

function addLink(rel: string, href: string): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { rel, href })
  document.head.append(link)
  return link
}

const notLoaded = (address: string) => new Error(`${address} could not be loaded.`)
