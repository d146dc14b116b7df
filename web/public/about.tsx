import { Button } from '../ui/button.tsx'
import './prose.css'

export function About() {
  return (
    <article className="prose">
      <h1>About Daymark</h1>
      <p>
        A daymark is a painted shape on a post that sailors steer by while the sun is up: plain, bold, made to
        be read at a distance. This one is for your days. Write down what there is to do and by when; today,
        the newest and the urgent are each one press away, and what is overdue waits at the top until it is
        done or moved. Notes are beside them: plain Markdown, saved as you type, with every earlier version of
        the last days.
      </p>
      <p>
        It runs from one command on a computer of your choosing and keeps everything in one database file,
        which you can copy, back up or throw away. When a task or a note says that it is saved, it is on disk.
        There is nothing to buy and nobody is counting your clicks.
      </p>
      <Button>Explore Features</Button>
    </article>
  )
}
