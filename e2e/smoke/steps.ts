import assert from 'node:assert/strict'
import { keys, type Tab } from './tab.ts'

export const user = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }

const card = 'article :is(h2, h3)'
const bar = '[aria-label="Last change"]'

/** Returns a function that plays a step. Each step must leave the console without an error that was not expected. */
export const stepsOn =
  (page: Tab) =>
  async (title: string, play: () => Promise<unknown>, expected: RegExp[] = []) => {
    const start = performance.now()
    await play()
    const faults = await page.takeFaults()
    assert.equal(faults.length, expected.length, `${title}: ${faults.join('; ')}`)
    for (const [index, fault] of faults.entries()) assert.match(fault, expected[index] as RegExp)
    console.log(`  ${title} (${Math.round(performance.now() - start)} ms)`)
  }

/** The actions of a user on a first day, in any browser. Returns the page. */
export async function playSteps(open: () => Promise<Tab>): Promise<Tab> {
  const page = await open()
  const step = stepsOn(page)
  const logIn = async (password: string) => {
    await page.fill('input', 'Email', user.email)
    await page.fill('input', 'Password', password)
    await page.click('main button', 'Login')
  }

  await step('Signing up leads to the dashboard', async () => {
    await page.go('/')
    await page.click('header a', 'Sign Up')
    await page.seePath('/signup')
    await page.fill('input', 'Name', user.name)
    await page.fill('input', 'Email', user.email)
    await page.fill('input', 'Password', user.password)
    await page.click('main button', 'Sign up')
    await page.see('[role=alert]', 'Signup successful! Redirecting to login...')
    await page.seePath('/dashboard')
    await page.see('h1', "Today's Tasks")
  })
  await step('Logout leads to the landing page', async () => {
    await page.click('button', 'Logout')
    await page.seePath('/')
  })
  await step('A wrong password is reported', async () => {
    await page.click('header a', 'Login')
    await page.seePath('/login')
    await logIn('incorrect horse')
    await page.see('[role=alert]', 'Login failed. Please check your credentials.')
  }, [/console: .*(wrong|401)/])
  await step('The right password leads to the dashboard, and the list is empty', async () => {
    await logIn(user.password)
    await page.seePath('/dashboard')
    await page.see('main p', 'No tasks for today')
  })
  await step('The dialog adds a task', async () => {
    await page.click('button', 'Add Task')
    await page.fill('dialog input', 'Title', 'Water the plants')
    await page.fill('dialog textarea', 'Body', 'The fern first.')
    await page.click('dialog button', 'Due today')
    await page.focus('dialog select', 'Priority')
    await page.type('Low')
    await page.click('dialog button', 'Add Task')
    assert.equal(await page.seeAlert(), 'Task added successfully!')
    await page.see(card, 'Water the plants')
  })
  await step('The quick line adds one with a priority', async () => {
    await page.click('main input', 'Quick add')
    await page.type(`Feed the cat !high${keys.Enter}`)
    await page.see(card, 'Feed the cat')
  })
  await step('The three lists show their tasks', async () => {
    await page.click('aside button', 'Latest')
    await page.see('h1', 'Recent')
    await page.see(card, 'Water the plants')
    await page.click('aside button', 'Priority')
    await page.see('h1', 'Mark the urgent')
    await page.see(card, 'Feed the cat')
    await page.miss(card, 'Water the plants')
    await page.click('main button', 'Low')
    await page.miss(card, 'Feed the cat')
    await page.click('aside button', 'Today')
    await page.see('h1', "Today's Tasks")
  })
  await step('Editing changes the card', async () => {
    await page.click('button', 'Edit Water the plants')
    await page.fill('dialog input', 'Title', 'Water the garden')
    await page.click('dialog button', 'Save')
    await page.see(card, 'Water the garden')
  })
  await step('Delete removes the card, and Undo brings it back', async () => {
    await page.click('button', 'Delete Water the garden')
    await page.miss(card, 'Water the garden')
    await page.click(`${bar} button`, 'Undo')
    await page.see(card, 'Water the garden')
  })
  await step('The ring completes a task, and Control+Z brings it back', async () => {
    await page.click('[aria-label="Complete Feed the cat"]')
    await page.miss(card, 'Feed the cat')
    await page.see(`${bar} *`, 'Completed')
    await page.control('z')
    await page.see(card, 'Feed the cat')
  })
  await step('Search finds a task and marks the word', async () => {
    await page.click('[type=search]')
    await page.type('GARDEN')
    await page.see('mark', 'garden')
    await page.miss(card, 'Feed the cat')
    await page.type(keys.Escape)
    await page.see(card, 'Feed the cat')
  })
  await step('A note is written, saved and read', async () => {
    await page.click('aside button, aside a', 'Notes')
    await page.click('button', 'Write a note')
    await page.seeFocus('[aria-label=Note]')
    await page.type(`# Ferry${keys.Enter}- 8:40${keys.Enter}- 9:40`)
    await page.see('[aria-label=Note] *', 'Saved')
    await page.click('button', 'Reading view')
    await page.see('main h2', 'Ferry')
    await page.see('main li', '9:40')
  })
  await step('A task that one window adds appears in another', async () => {
    const other = await open()
    await other.go('/dashboard')
    await other.see(card, 'Feed the cat')
    await page.go('/dashboard')
    await page.click('main input', 'Quick add')
    await page.type(`Call Ann${keys.Enter}`)
    await page.see(card, 'Call Ann')
    await other.see(card, 'Call Ann')
    assert.deepEqual(await other.takeFaults(), [])
  })
  return page
}
