import { checkLinePattern } from '../store/ticked-body.ts'
import { taskLinkIn } from './task-line.ts'

/**
 * How many lines of a text can be done, and how many are: those with a checkbox, and those with a link to a task, which count
 * as the task does if `isTaskDone` knows it.
 */
export function progressOf(text: string, isTaskDone: (id: string) => boolean | undefined) {
  let [done, all] = [0, 0]
  for (const line of text.split('\n')) {
    const tick = checkLinePattern.exec(line)?.[3]
    const task = line.includes('](task:') ? taskLinkIn(line) : undefined
    const isDone = (task && isTaskDone(task)) ?? (tick === undefined ? undefined : tick !== ' ')
    if (isDone === undefined) continue
    all++
    if (isDone) done++
  }
  return { done, all }
}
