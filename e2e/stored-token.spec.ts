import { force, recordCalls, serverError, settle } from './calls.ts'
import { expect, signedInTest, test } from './fixtures.ts'
import { expectToasts } from './toasts.ts'

/** The answers to the validation, other than that the token is valid. */
const failures = [
  ['answers 403', { status: 403 }],
  ['answers that it is not valid', { status: 200, json: { valid: false } }],
  ['answers 500', serverError],
  ['gets no answer', 'dropped'],
] as const

for (const path of ['/', '/login', '/signup']) {
  signedInTest(`A stored token that is valid leads from ${path} to /dashboard`, async ({ page, user }) => {
    const calls = recordCalls(page)
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard')
    expect(calls[0]).toMatchObject({
      call: 'GET /user/validate',
      headers: { authorization: `Bearer ${user.token}` },
    })
  })

  test(`Without a stored token ${path} validates nothing and stays`, async ({ page }) => {
    const calls = recordCalls(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page).toHaveURL(path)
    expect(calls).toEqual([])
  })

  // The three pages share the hook that reads the answer.
  for (const [failure, answer] of path === '/' ? failures : failures.slice(0, 1)) {
    signedInTest(
      `A visitor stays on ${path} when the validation of a stored token ${failure}`,
      async ({ page }) => {
        await force(page, 'GET /user/validate', answer)
        const calls = recordCalls(page)
        await page.goto(path)
        await expect.poll(() => calls.map(({ call }) => call)).toEqual(['GET /user/validate'])
        await settle(page, calls)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page).toHaveURL(path)
        await expectToasts(page, [])
      },
    )
  }
}

signedInTest('The about page validates nothing and stays, also with a stored token', async ({ page }) => {
  const calls = recordCalls(page)
  await page.goto('/about', { waitUntil: 'networkidle' })
  await expect(page).toHaveURL('/about')
  expect(calls).toEqual([])
})
