/** Makes the browser look for a new build, which the worker then stores and offers. Without a worker nothing happens. */
export async function lookForNewVersion(): Promise<void> {
  // Without HTTPS there is no `serviceWorker`.
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.update().catch(console.warn)
}
