/** In milliseconds: a page in the background paints no frames. */
const longestFrame = 100

/** Settles when the next frame is painted. Work that can wait for it does not delay what the reader sees. */
export const painted = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, longestFrame)
    // The frame after it begins when it is painted.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })
