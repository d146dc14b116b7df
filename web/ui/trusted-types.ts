/** What browsers with Trusted Types add to the window. */
export type TrustedTypesWindow = {
  trustedTypes?: {
    createPolicy: (name: string, rules: object) => { createScriptURL: (input: string) => string }
  }
}
