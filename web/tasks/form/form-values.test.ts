import { expect, test } from 'vitest'
import { taskWith } from '../../engine/store/testing/task-with.ts'
import { isEdited, isSameText } from './form-values.ts'

test('An empty field is the same as one without a value, and emptying one is an edit', () => {
  expect([isSameText('', null), isSameText(null, 'Park'), isSameText('a\r\nb', 'a\nb')]).toEqual([
    true,
    false,
    true,
  ])
  // An optional field, as a table of fields may declare it.
  const withPlace = (place: string | null) => ({ place }) as object
  const task = { ...taskWith({}), ...withPlace('Park') }
  expect([null, 'Park'].map((place) => isEdited(task, withPlace(place)))).toEqual([true, false])
})
