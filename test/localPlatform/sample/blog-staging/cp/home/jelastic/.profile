export NODE_ENV=staging
export PATH="$HOME/bin:$PATH"
