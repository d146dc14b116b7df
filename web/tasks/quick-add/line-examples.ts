export const lineExamples = [
  ['Water the plants tomorrow !high', 'A day and a priority: !high, !medium, !low'],
  ['Call Anna on Friday at 5pm', 'The next Friday, and a time'],
  ['Pay the rent 1 Dec', 'A date'],
  ['Pack on Friday, remind me at 8', 'A reminder, also ‘remind me tomorrow at 9’'],
  ['Renew the passport in 3 weeks', 'A time from today'],
  ['Clean up this weekend', 'Also next week, end of month'],
  ['Learn Italian someday', 'No date'],
  ['Order firewood #home', 'A tag'],
  ['Watch “Tomorrow”', 'Text in quotes stays as it is'],
] as const
