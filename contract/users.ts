import { type Static, Type } from 'typebox'
import { emailLength, nameLength, passwordLength } from './limits.ts'

const Email = Type.String({ format: 'email', maxLength: emailLength.max })
const NewPassword = Type.String({
  format: 'text',
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
})
/** Only what could ever match is worth a hash; how short a password may be is said at signup alone. */
const GivenPassword = Type.String({ format: 'text', maxLength: passwordLength.max })

/** Specification section 3, credentials payloads. */
export const Credentials = Type.Object({ email: Email, password: GivenPassword })
export type Credentials = Static<typeof Credentials>

export const Registration = Type.Object({
  name: Type.String({ format: 'text', pattern: '\\S', minLength: nameLength.min, maxLength: nameLength.max }),
  email: Email,
  password: NewPassword,
})
export type Registration = Static<typeof Registration>

export const PasswordChange = Type.Object({ currentPassword: GivenPassword, newPassword: NewPassword })
export type PasswordChange = Static<typeof PasswordChange>

const Token = Type.Object({ token: Type.String() })
const Done = Type.Object({})

export const userEndpoints = {
  'GET /user/validate': { response: Type.Object({ valid: Type.Boolean() }) },
  'POST /user/login': { body: Credentials, response: Token },
  'POST /user/register': { body: Registration, response: Token },
  'POST /user/logout': { response: Done },
  'POST /user/changePassword': { body: PasswordChange, response: Done },
  'POST /user/deleteAccount': { body: Type.Object({ password: GivenPassword }), response: Done },
}
