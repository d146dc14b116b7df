// One chunk, which the first card that repeats loads.
export * as changes from '../../changes/derived-changes.ts'
export { ruleText } from './rule-text.ts'
