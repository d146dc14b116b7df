import type { XStatic } from 'typebox/schema'
import { visible } from './blank.ts'
import { type Calls, Done } from './calls.ts'
import { objectOf } from './fields.ts'
import { emailLength, nameLength, passwordLength } from './limits.ts'

const Email = {
  type: 'string',
  format: 'email',
  maxLength: emailLength.max,
  examples: ['ada@example.org'],
} as const
const NewPassword = {
  type: 'string',
  format: 'text',
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
} as const
/** A password longer than any stored one is rejected before it is hashed. Only signup enforces the minimum length. */
const GivenPassword = { type: 'string', format: 'text', maxLength: passwordLength.max } as const

const ada = { email: 'ada@example.org', password: 'correct horse battery' } as const

/** Specification section 3, Credentials payloads. */
export const Credentials = {
  ...objectOf({ email: Email, password: GivenPassword }),
  examples: [ada],
} as const
export type Credentials = XStatic<typeof Credentials>

const Registration = {
  ...objectOf({
    name: {
      type: 'string',
      format: 'name',
      pattern: visible,
      minLength: nameLength.min,
      maxLength: nameLength.max,
    },
    email: Email,
    password: NewPassword,
  }),
  examples: [{ name: 'Ada', ...ada }],
} as const

const PasswordChange = {
  ...objectOf({ currentPassword: GivenPassword, newPassword: NewPassword }),
  examples: [{ currentPassword: ada.password, newPassword: 'a staple for the horse' }],
} as const

const PasswordReset = {
  ...objectOf({
    token: { type: 'string', maxLength: 128, description: 'From the link, behind the `#`' },
    newPassword: NewPassword,
  }),
  examples: [{ token: 'x'.repeat(64), newPassword: 'a staple for the horse' }],
} as const

const Confirmation = {
  ...objectOf({ password: GivenPassword }),
  examples: [{ password: ada.password }],
} as const
const Token = objectOf({ token: { type: 'string' } })
const Validity = objectOf({ valid: { type: 'boolean' } })

export const userEndpoints = {
  'GET /user/validate': { access: 'read', unauthorized: 403, response: Validity },
  'POST /user/login': {
    access: 'none',
    ignoresUnknown: true,
    body: Credentials,
    response: Token,
    problems: ['wrong-credentials', 'account-disabled', 'too-many-logins'],
  },
  'POST /user/register': {
    access: 'none',
    ignoresUnknown: true,
    body: Registration,
    response: Token,
    problems: ['signup-closed', 'first-user-elsewhere', 'email-taken', 'too-many-logins'],
    fieldCodes: ['too-common', 'taken'],
  },
  'POST /user/logout': { access: 'none', response: Done },
  'POST /user/changePassword': {
    access: 'account',
    body: PasswordChange,
    response: Done,
    problems: ['too-many-logins'],
    fieldCodes: ['wrong-password', 'too-common'],
  },
  'POST /user/resetPassword': {
    access: 'none',
    body: PasswordReset,
    response: Done,
    problems: ['link-over', 'too-many-logins'],
    fieldCodes: ['too-common'],
  },
  'POST /user/deleteAccount': {
    access: 'account',
    body: Confirmation,
    response: Done,
    problems: ['too-many-logins'],
    fieldCodes: ['wrong-password'],
  },
} satisfies Calls
