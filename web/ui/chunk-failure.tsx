import { Button } from './button.tsx'
import { isOutdated } from './load-chunk.ts'
import { Notice } from './notice.tsx'

/**
 * In place of a part of the page that could not be loaded. Offline, any part that was not used before can be missing. After an
 * upgrade of the server the files of this page are gone: a reload, which keeps what was typed, loads the new ones.
 */
export const ChunkFailure = ({ onRetry }: { onRetry?: () => void }) =>
  isOutdated() ? (
    <Notice>
      <p>There is a new version. Reload the page to go on: what you have typed is kept.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Notice>
  ) : (
    <Notice>
      <p>This part of the page could not be loaded. Check your connection and try again.</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </Notice>
  )
