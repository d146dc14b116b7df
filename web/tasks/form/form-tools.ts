// The chunk that a form in use needs: one, because each chunk takes bytes of the first load.

import './form-tools.css'

export { BodyLinks } from './body-links.tsx'
export { continueList } from './continued-list.ts'
export { RemindersField } from './reminders-field.tsx'
export { RepeatField } from './repeat-field.tsx'
export { WordsOffer } from './words-offer.tsx'
