type TrustedTypes = {
  createPolicy: (name: string, rules: object) => { createScriptURL: (input: string) => string }
}

/** The address of a worker. The Content-Security-Policy allows one policy of this name, and the policy one address. */
export const trustedAddress = (name: string, address: string): string =>
  (window as { trustedTypes?: TrustedTypes }).trustedTypes
    ?.createPolicy(name, { createScriptURL: () => address })
    .createScriptURL(address) ?? address
