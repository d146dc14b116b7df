import { QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { taskWith } from '../store/testing/task-with.ts'
import { storeOf } from '../store/use-store.ts'
import { changesOf } from './changes.ts'
import { specifiedCallsOf } from './specified-calls.ts'

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
  const queryClient = new QueryClient()
  const [task, calls] = [taskWith({ _id: 'a' }), specifiedCallsOf(queryClient)]
  storeOf(queryClient).put({ tasks: [task] })
  const told = () => changesOf(queryClient).failures.getState().a?.text
  await calls.delete(task)
  // The page looks for its card.
  await new Promise((rendered) => setTimeout(rendered))
  expect(told()).toMatch(/^This task was not deleted\./)
  const { title, body, dueDate, priority } = task
  await calls.edit(task, { title, body, dueDate, priority })
  expect(told()).toBeUndefined()
})
