import { contentScreens } from './content.ts'
import { testScreens } from './gallery.ts'

testScreens(contentScreens)
