<?php
// Stands here until the first deployment takes this folder over.
$node = gethostname();
?>
<!doctype html>
<title>Nothing is deployed yet</title>
<h1>This node is ready</h1>
<p>PHP <?= PHP_VERSION ?> answers on <?= htmlspecialchars((string) $node) ?>. Deploy a project to the context ROOT.</p>
