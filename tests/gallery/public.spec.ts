import { testScreens } from './gallery.ts'
import { publicScreens } from './public.ts'

testScreens(publicScreens)
