/** As in `1 task` and `3 tasks`. */
export const countTasks = (count: number): string => `${count} ${count === 1 ? 'task' : 'tasks'}`
