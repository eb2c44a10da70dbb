import fc from 'fast-check'

// The same values in every run, so that a commit has one verdict. `npm run test:fuzz` tries others.
fc.configureGlobal({ seed: 27 })

export default fc
