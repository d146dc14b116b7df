import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const names = ['HOST', 'PORT', 'DRAIN', 'OFFLINE', 'REGISTRATION', 'DATABASE_URL', 'LOG_LEVEL']

test.each([
  ['REGISTRATON', 'REGISTRATION'],
  ['REGISTARTION', 'REGISTRATION'],
  ['REGISTRATIONS', 'REGISTRATION'],
  ['DATABSE_ULR', 'DATABASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['OFLINE', 'OFFLINE'],
  ['PROT', 'PORT'],
  // Other programs have such variables.
  ['POST', undefined],
  ['TRAIN', undefined],
  ['ONLINE', undefined],
  ['HOSTNAME', undefined],
  ['PATH', undefined],
  ['PORT', undefined],
])('the name that is meant with %s is %s', (text, expected) => {
  expect(nearestName(text, names)).toBe(expected)
})
