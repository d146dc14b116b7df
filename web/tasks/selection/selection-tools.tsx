import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useEngine } from '../../state/use-engine.tsx'
import { countTasks } from '../count-tasks.ts'
import { SelectionBar } from './selection-bar.tsx'
import { usePointerSelection } from './use-pointer-selection.ts'
import './selection.css'

/** The parts of the selection that are not in the first load: the bar, and selecting with the pointer. */
export default function SelectionTools() {
  const { ids } = useStore(useEngine().selection)
  usePointerSelection()
  return (
    <>
      <Announcement count={ids.size} />
      {ids.size > 0 && <SelectionBar />}
    </>
  )
}

/** Says how many are selected. A live region must exist before its text. */
function Announcement({ count }: { count: number }) {
  const [text, setText] = useState('')
  useEffect(() => setText(count > 0 ? `${countTasks(count)} selected` : ''), [count])
  return (
    <p role="status" className="visually-hidden">
      {text}
    </p>
  )
}
