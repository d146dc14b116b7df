/** In milliseconds: how long a failure waits for the document that replaces this one. */
const patience = 10_000

/** When another document last began to load in place of this one. */
let begun = Number.NEGATIVE_INFINITY
globalThis.addEventListener?.('beforeunload', () => {
  begun = performance.now()
})

/**
 * Resolves at once, unless another document is loading in place of this one. Firefox then cuts all requests of this one, which is still
 * shown: such a failure is neither reported nor shown. Resolves later if this page stays, or is shown again.
 */
export async function untilPageStays(): Promise<void> {
  if (performance.now() - begun > patience) return
  await new Promise((resolve) => {
    setTimeout(resolve, patience)
    addEventListener('pageshow', resolve, { once: true })
  })
}
