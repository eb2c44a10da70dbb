import { testScreens } from './gallery.ts'
import { inboxScreens } from './inbox.ts'

testScreens(inboxScreens)
