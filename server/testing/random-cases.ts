import fc from 'fast-check'

// Random tests try the same cases in each run, so that their result depends on the code alone. `npm run torture` tries others.
if (!process.env.TORTURE) fc.configureGlobal({ seed: 1 })
