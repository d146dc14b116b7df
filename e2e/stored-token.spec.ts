import { force, recordCalls, serverError, settle } from './calls.ts'
import { expect, expectToasts, signedInTest as test, test as visitorTest } from './fixtures.ts'

/** The answers to the validation, other than that the token is valid. */
const failures = [
  ['answers 403', { status: 403 }],
  ['answers that it is not valid', { status: 200, json: { valid: false } }],
  ['answers 500', serverError],
  ['gets no answer', 'dropped'],
] as const

test('A valid stored token leads from each public page but /about to /dashboard', async ({ page, user }) => {
  const onAbout = recordCalls(page)
  await page.goto('/about', { waitUntil: 'networkidle' })
  await expect(page).toHaveURL('/about')
  expect(onAbout).toEqual([])
  for (const path of ['/', '/login', '/signup'])
    await test.step(path, async () => {
      const calls = recordCalls(page)
      await page.goto(path)
      await expect(page).toHaveURL('/dashboard')
      expect(calls[0]).toMatchObject({
        call: 'GET /user/validate',
        headers: { authorization: `Bearer ${user.token}` },
      })
      // No call of this document begins during the next one.
      await expectToasts(page, ['info: No tasks for today'])
      await settle(page, calls)
    })
})

visitorTest('Without a stored token the public pages validate nothing and stay', async ({ page }) => {
  const calls = recordCalls(page)
  for (const path of ['/', '/login', '/signup']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page).toHaveURL(path)
    expect(calls).toEqual([])
  }
})

test('A visitor stays on a public page whenever the validation of a token fails', async ({ page }) => {
  // The three pages share the hook that reads the answer.
  for (const [path, failure, answer] of [
    ...failures.map((failure) => ['/', ...failure] as const),
    ['/login', ...failures[0]] as const,
    ['/signup', ...failures[0]] as const,
  ])
    await test.step(`the validation on ${path} ${failure}`, async () => {
      await page.unrouteAll()
      await force(page, 'GET /user/validate', answer)
      const calls = recordCalls(page)
      await page.goto(path)
      await expect.poll(() => calls.map(({ call }) => call)).toEqual(['GET /user/validate'])
      await settle(page, calls)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveURL(path)
      await expectToasts(page, [])
    })
})
