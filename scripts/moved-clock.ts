// Loaded before the server, whose clock it moves to each time that the parent process sends.

const realTime = Date.now
let ahead = 0
Date.now = () => realTime() + ahead
Temporal.Now.zonedDateTimeISO = (zone = 'UTC') =>
  Temporal.Instant.fromEpochMilliseconds(Date.now()).toZonedDateTimeISO(zone)
process.on('message', (time: number) => {
  ahead = time - realTime()
  process.send?.('moved')
})
