import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { passwordLength } from '#contract/limits.ts'
import { badRequest } from '../errors.ts'

/** How many of the most common passwords are refused, of those that are long enough (ASVS 5.0, 6.2.4). */
const refused = 3000

let common: Promise<Set<string>> | undefined

/** Throws a 400 that names the field where a new password is among the first that are guessed, in any letters' case. */
export async function refuseCommonPassword(field: string, password: string) {
  common ??= readCommonPasswords()
  if ((await common).has(password.toLowerCase())) {
    throw badRequest(
      field,
      `must be harder to guess: it is one of the ${refused.toLocaleString('en')} most common passwords`,
    )
  }
}

/** Read as a file, since what is imported stays in memory: all 49,000, where 3,000 are used. */
async function readCommonPasswords(): Promise<Set<string>> {
  const file = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
  const ranked: string[] = JSON.parse(await readFile(file, 'utf8'))
  const longEnough = ranked.filter((password) => [...password].length >= passwordLength.min)
  return new Set(longEnough.slice(0, refused))
}
