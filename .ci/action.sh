#!/usr/bin/env bash
# Runs the GitHub Action with the variables that action.yml sets: annotates the lines of a pull request with the findings, comments
# what the change will do to the pods, and exits with the exit code of the check. Values of inputs are never evaluated as shell code.
set -euo pipefail

# Splits a value at spaces and line breaks into the array `words`. Inputs such as `paths: |` have several lines.
split() {
  words=()
  read -rd '' -a words <<<"$1" || true
}
split "${ROLLOUTKIT:-rolloutkit}"
command=("${words[@]}")
# The path of a runner may contain spaces.
[ ! -f "${ROLLOUTKIT:-}" ] || command=("$ROLLOUTKIT")
split "${ROLLOUTKIT_PATHS:-.}"
paths=("${words[@]}")
split "${ROLLOUTKIT_OPTIONS:-}"
options=("${words[@]}")

# Both commands get this option. Otherwise the comment could use a configuration from the pull request that the check ignores.
case "${ROLLOUTKIT_CONFIG:-}" in
  '') config=() ;;
  none) config=(--no-config) ;;
  *) config=(--config "$ROLLOUTKIT_CONFIG") ;;
esac

# Fails because of an input, like the command line. The value is quoted, so that it cannot be a command of the log.
fail() {
  printf 'rolloutkit: the input %s %q %s\n' "$1" "$2" "$3" >&2
  exit 2
}

# Options of check alone. The others, such as --render or --clusters, reach both commands, so that the comment shows what was checked.
plan_options=()
# On a pull request only what the change touches or makes worse counts, so a warning fails, unless an option sets another threshold.
threshold=(--fail-on warning)
skip_value=false
for option in ${options[@]+"${options[@]}"}; do
  if "$skip_value"; then
    skip_value=false
    continue
  fi
  case "$option" in
    --fail-on | --fail-on=*) threshold=() ;;
  esac
  case "$option" in
    --fail-on | --baseline | --write-baseline | --format | --plan) skip_value=true ;;
    --fail-on=* | --baseline=* | --write-baseline=* | --format=* | --plan=* | --require-planned | --show-suppressed) ;;
    # The annotations and the comment would be written to that file instead.
    --output | --output=*) fail options "$option" 'is not supported, because the action prints the annotations; for a file, use --format sarif=FILE' ;;
    # Nothing would be checked.
    -h | --help) fail options "$option" 'is not supported, because it only prints the help' ;;
    # What follows would be paths, and the options of the action too.
    --) fail options -- 'is not supported; write paths into the input paths' ;;
    *) plan_options+=("$option") ;;
  esac
done

# A path begins with "./" or "/", which no revision does, so that no file of a pull request is taken for its base.
from=()
if [[ "${ROLLOUTKIT_FROM:-}" == ./* || "${ROLLOUTKIT_FROM:-}" == /* ]]; then
  from=(--from "$ROLLOUTKIT_FROM")
elif [ -n "${ROLLOUTKIT_FROM:-}" ]; then
  # git would take it for an option, and some options of git run programs.
  [[ "$ROLLOUTKIT_FROM" != -* ]] || fail from "$ROLLOUTKIT_FROM" 'begins with -, so it is neither a revision nor a path'
  # git fetch would write to the branch after the colon.
  [[ "$ROLLOUTKIT_FROM" != *:* ]] || fail from "$ROLLOUTKIT_FROM" 'contains a colon, so it is not a revision; a path begins with ./ or /'
  if ! git cat-file -e "$ROLLOUTKIT_FROM^{commit}" 2>/dev/null; then
    git fetch --quiet --no-tags --no-recurse-submodules --depth 1 -- origin "$ROLLOUTKIT_FROM" ||
      fail from "$ROLLOUTKIT_FROM" 'is not in the checkout, and git cannot fetch it from origin; write fetch-depth: 0 at actions/checkout; a path begins with ./ or /'
    # git fetch creates no branch of this name.
    ROLLOUTKIT_FROM=$(git rev-parse --verify 'FETCH_HEAD^{commit}')
  fi
  from=(--from "git:$ROLLOUTKIT_FROM")
fi

formats=(--format github)
[ -z "${ROLLOUTKIT_SARIF:-}" ] || formats+=(--format "sarif=$ROLLOUTKIT_SARIF")

status=0
"${command[@]}" check "${formats[@]}" ${from[@]+"${from[@]}" ${threshold[@]+"${threshold[@]}"}} ${config[@]+"${config[@]}"} ${options[@]+"${options[@]}"} -- "${paths[@]}" || status=$?

# Updates our comment from the previous push, or adds one. Any user can start a comment with the hidden marker, so the author must match too.
# GraphQL returns the author for every token, including tokens of GitHub Apps (`my-app[bot]`). REST returns nothing for those.
comment() {
  local body=$1 marker='<!-- rolloutkit: the plan of this change -->' api="repos/$GITHUB_REPOSITORY/issues/$ROLLOUTKIT_PULL_REQUEST/comments" author id
  author=$(gh api graphql --raw-field 'query={viewer{login}}' --jq .data.viewer.login 2>/dev/null) || author=''
  [ -n "$author" ] || author='github-actions[bot]'
  id=$(gh api --paginate "$api" --jq ".[] | select(.user.login == \"$author\" and (.body | startswith(\"$marker\"))) | .id" | head -n 1)
  if [ -n "$id" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$body" >/dev/null
  else
    gh api --method POST "$api" --field "body=@$body" >/dev/null
  fi
}

if [ -n "${ROLLOUTKIT_FROM:-}" ]; then
  body=$(mktemp)
  # Exit code 2 without a plan: the command could not run. With one: a side could not be rendered, which the plan says first.
  "${command[@]}" plan "${from[@]}" --format markdown --output "$body" ${config[@]+"${config[@]}"} ${plan_options[@]+"${plan_options[@]}"} -- "${paths[@]}" || [ -s "$body" ] || exit 2
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$body" >>"$GITHUB_STEP_SUMMARY"
  if [ "${ROLLOUTKIT_COMMENT:-true}" = true ] && [ -n "${ROLLOUTKIT_PULL_REQUEST:-}" ]; then
    # The token of a pull request from a fork cannot write comments. The summary of the job contains the plan in any case.
    comment "$body" || echo "::warning::the plan could not be written as a comment; it is in the summary of this job"
  fi
fi
exit "$status"
