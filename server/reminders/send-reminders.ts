import type { FastifyInstance } from 'fastify'
import { every } from '../background.ts'
import type { AppContext } from '../context.ts'
import { failureLog } from '../http/failure-log.ts'
import { pauseAfterFailure, reminderSender } from './reminder-sender.ts'

export function sendReminders(app: FastifyInstance, context: AppContext) {
  const logFailure = failureLog()
  const report = (error: unknown) =>
    logFailure(app.log, 'warn', {}, error as Error, 'a reminder was not sent')
  const sender = reminderSender(context, report)
  let wasOn: boolean | undefined = true
  const { wake } = every(app, 'the sending of reminders', async (stop) => {
    const delay = await sender.turn(stop).catch(report)
    const isOn = sender.isOn()
    if (isOn === false && wasOn) app.log.warn('reminders are off: run "npm run reminders -- on" to send them')
    wasOn = isOn
    return typeof delay === 'number' ? delay : pauseAfterFailure
  })
  sender.wakeBy(wake)
  app.addHook('onClose', () => sender.close())
}
