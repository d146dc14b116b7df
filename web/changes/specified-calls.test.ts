import { expect, onTestFinished, test, vi } from 'vitest'
import { createDashboard } from '../state/dashboard.tsx'
import { taskWith } from '../store/testing/task-with.ts'

vi.mock('../ui/toasts.tsx', () => ({ dashboardToast: { success() {}, error() {} } }))

test('A card no longer says that its task was not deleted when the task is edited', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('document', { visibilityState: 'visible', querySelector: () => ({}) })
  vi.stubGlobal('CSS', { escape: String })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (_: string, { method }: { method: string }) =>
    Response.json({}, { status: method === 'DELETE' ? 500 : 200 }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const dashboard = createDashboard()
  const [task, calls] = [taskWith({ _id: 'a' }), dashboard.calls]
  dashboard.store.put({ tasks: [task] })
  const told = () => dashboard.changes.failures.getState().a?.text
  await calls.delete(task)
  // The page looks for its card.
  await new Promise((rendered) => setTimeout(rendered))
  expect(told()).toMatch(/^This task was not deleted\./)
  const { title, body, dueDate, priority } = task
  await calls.edit(task, { title, body, dueDate, priority })
  expect(told()).toBeUndefined()
})
