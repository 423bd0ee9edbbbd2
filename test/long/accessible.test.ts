import { findsNothingIn } from '../e2e/axe-tour'

findsNothingIn([['light', 1440], ['dark', 1024], ['light', 1024], ['dark', 720]])
