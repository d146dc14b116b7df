/** What browsers with Trusted Types add to the window. */
type TrustedTypesWindow = {
  trustedTypes?: {
    createPolicy: (name: string, rules: object) => { createScriptURL: (input: string) => string }
  }
}

/** The address of a worker. The Content-Security-Policy allows one policy of its name, and the policy one address. */
export const trustedAddress = (worker: string, address: string): string =>
  (window as TrustedTypesWindow).trustedTypes
    ?.createPolicy(worker, { createScriptURL: () => address })
    .createScriptURL(address) ?? address
