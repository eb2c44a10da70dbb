import { testScreens } from './gallery.ts'
import { signInScreens } from './sign-in.ts'

testScreens(signInScreens)
