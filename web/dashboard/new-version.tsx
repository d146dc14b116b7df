import { IconButton } from '../ui/icon-button.tsx'

/** A reload loses nothing: typed text is kept in the browser. */
export const NewVersion = ({ onClose }: { onClose: () => void }) => (
  <section className="message" aria-label="New version">
    <button type="button" className="link-button" onClick={() => location.reload()}>
      Reload for the new version
    </button>
    <IconButton icon="close" label="Not now" onClick={onClose} />
  </section>
)
