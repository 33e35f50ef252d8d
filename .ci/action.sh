#!/usr/bin/env bash
# What the GitHub Action does, given by the variables that action.yml sets: annotate the lines of a pull request with the findings,
# comment what the change will do to the pods, and end as the check ends. Values of inputs are never read as shell.
set -euo pipefail

read -ra command <<<"${ROLLOUTKIT:-rolloutkit}"
read -ra paths <<<"${ROLLOUTKIT_PATHS:-.}"
read -ra options <<<"${ROLLOUTKIT_OPTIONS:-}"

# For both commands, so that the comment does not follow the configuration of a stranger where the check does not.
case "${ROLLOUTKIT_CONFIG:-}" in
  '') config=() ;;
  none) config=(--no-config) ;;
  *) config=(--config "$ROLLOUTKIT_CONFIG") ;;
esac

formats=(--format github)
[ -z "${ROLLOUTKIT_SARIF:-}" ] || formats+=(--format "sarif=$ROLLOUTKIT_SARIF")

status=0
"${command[@]}" check "${formats[@]}" "${config[@]}" "${options[@]}" -- "${paths[@]}" || status=$?

# Updates our comment of the push before, or writes one. Anybody may begin a comment with the hidden mark: ours has its author too.
# Who that is GraphQL tells of every token, a GitHub App's too (`my-app[bot]`), of which REST tells nothing.
comment() {
  local body=$1 mark='<!-- rolloutkit: the plan of this change -->' api="repos/$GITHUB_REPOSITORY/issues/$ROLLOUTKIT_PULL_REQUEST/comments" author id
  author=$(gh api graphql --raw-field 'query={viewer{login}}' --jq .data.viewer.login 2>/dev/null) || author=''
  [ -n "$author" ] || author='github-actions[bot]'
  id=$(gh api --paginate "$api" --jq ".[] | select(.user.login == \"$author\" and (.body | startswith(\"$mark\"))) | .id" | head -n 1)
  if [ -n "$id" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$body" >/dev/null
  else
    gh api --method POST "$api" --field "body=@$body" >/dev/null
  fi
}

if [ -n "${ROLLOUTKIT_FROM:-}" ] && [ "$status" -ne 2 ]; then
  body=$(mktemp)
  git cat-file -e "$ROLLOUTKIT_FROM^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth 1 origin "$ROLLOUTKIT_FROM"
  "${command[@]}" plan --from "git:$ROLLOUTKIT_FROM" --format markdown --output "$body" "${config[@]}" -- "${paths[@]}"
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$body" >>"$GITHUB_STEP_SUMMARY"
  if [ "${ROLLOUTKIT_COMMENT:-true}" = true ] && [ -n "${ROLLOUTKIT_PULL_REQUEST:-}" ]; then
    # From a fork the token may not write; the summary of the job holds the plan all the same.
    comment "$body" || echo "::warning::the plan could not be written as a comment; it is in the summary of this job"
  fi
fi
exit "$status"
