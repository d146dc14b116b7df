import { channel } from 'node:diagnostics_channel'

/**
 * `{ userId, due }` is published here in a transaction that stores a reminder, with when it is due, or 0 if the reminders of the person are
 * to be computed anew. It says nothing of other servers.
 */
export const remindersDue = channel('daymark:reminders-due')

export type RemindersDue = { userId: string; due: number }
