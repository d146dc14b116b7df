import { useEffectEvent } from 'react'
import { useSignal } from './use-signal.ts'

export function useKeyDown(isEnabled: boolean, onPress: (event: KeyboardEvent) => void, capture = false) {
  const press = useEffectEvent(onPress)
  useSignal([isEnabled, capture], (signal) => {
    if (isEnabled) document.addEventListener('keydown', (event) => press(event), { capture, signal })
  })
}
