/** Makes the browser look for a new build, which the worker stores and offers. */
export async function lookForNewVersion(): Promise<void> {
  // Without HTTPS there is no `serviceWorker`.
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.update().catch(console.warn)
}
