import { useEffect, useEffectEvent } from 'react'

export function useKeyDown(isEnabled: boolean, onPress: (event: KeyboardEvent) => void, capture = false) {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    if (!isEnabled) return
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown, capture)
    return () => document.removeEventListener('keydown', onKeyDown, capture)
  }, [isEnabled, capture])
}
