import type { Locator } from '@playwright/test'

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('Nothing is shown.')
  return box
}

export async function bottomOf(locator: Locator) {
  const { y, height } = await boxOf(locator)
  return y + height
}

export async function middleOf(locator: Locator) {
  const { x, y, width, height } = await boxOf(locator)
  return { x: x + width / 2, y: y + height / 2 }
}
