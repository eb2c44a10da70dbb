import { testScreens } from './gallery.ts'
import { portalScreens } from './portal.ts'

testScreens(portalScreens)
