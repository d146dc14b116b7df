import { Copied } from './new-token.tsx'

/** Opens the dashboard as a share of another program does (`web/dashboard/launch.ts`): nothing is added without a press. */
const bookmarklet = () =>
  `javascript:void open('${location.origin}/dashboard?'+new URLSearchParams({'shared-text':String(getSelection())||document.title,'shared-url':location.href}))`

/** A bookmark that puts what is selected on any page, and its address, into the quick line. */
export const BookmarkletSection = () => (
  <section className="sessions" aria-labelledby="bookmarklet-title">
    <h3 id="bookmarklet-title">Add from any page</h3>
    <p className="account-lead">
      Make a bookmark with this text as its address. On a page, it puts what is selected, or the title of the
      page, and the address of the page into the quick line.
    </p>
    <Copied label="Address of the bookmark" text={bookmarklet()} />
  </section>
)
