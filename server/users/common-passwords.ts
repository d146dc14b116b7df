import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { passwordLength } from '#contract/limits.ts'
import { badRequest } from '../errors.ts'
import { normalizePassword } from './password.ts'

/** The number of common passwords of sufficient length that are rejected (ASVS 5.0, 6.2.4). */
const rejectedCount = 3000

let common: Promise<Set<string>> | undefined

/**
 * Throws a 400 for the field if a new password is, ignoring case, among the most common ones, or if its normal form is too
 * short. The schema has only checked the length of the password as it was typed.
 */
export async function refuseCommonPassword(field: string, typed: string) {
  const password = normalizePassword(typed)
  if ([...password].length < passwordLength.min)
    throw badRequest(field, 'too-short', `must have at least ${passwordLength.min} characters`, {
      min: passwordLength.min,
    })
  common ??= readCommonPasswords()
  if ((await common).has(password.toLowerCase())) {
    throw badRequest(
      field,
      'too-common',
      `must be harder to guess: it is one of the ${rejectedCount.toLocaleString('en')} most common passwords`,
    )
  }
}

/** Reads the list as a file, because an import would keep all 49,000 passwords in memory. */
async function readCommonPasswords(): Promise<Set<string>> {
  const file = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
  const ranked: string[] = JSON.parse(await readFile(file, 'utf8'))
  const longEnough = ranked.filter((password) => [...password].length >= passwordLength.min)
  return new Set(longEnough.slice(0, rejectedCount))
}
