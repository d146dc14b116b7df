/** Milliseconds that a failure waits for the next document. */
const patience = 10_000

/** When another document last began to replace this one. */
let begun = Number.NEGATIVE_INFINITY
globalThis.addEventListener?.('beforeunload', () => {
  begun = performance.now()
})

/** Firefox cuts all requests of a page that is being replaced. Then it resolves when this page stays or is shown again. */
export async function untilPageStays(): Promise<void> {
  if (performance.now() - begun > patience) return
  await new Promise((resolve) => {
    setTimeout(resolve, patience)
    addEventListener('pageshow', resolve, { once: true })
  })
}
