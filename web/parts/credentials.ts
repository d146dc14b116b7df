export { Login } from '../public/login.tsx'
export { ResetPassword } from '../public/reset-password.tsx'
export { Signup } from '../public/signup.tsx'
