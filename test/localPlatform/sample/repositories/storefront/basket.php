<?php

declare(strict_types=1);

require __DIR__ . '/src/Catalogue.php';
require __DIR__ . '/src/Basket.php';

session_start();
$catalogue = Catalogue::withSampleTeas();
$basket = Basket::of($_SESSION['basket'] ?? []);

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $basket = $basket->with((int) ($_POST['id'] ?? 0), (int) ($_POST['pieces'] ?? 1));
    $_SESSION['basket'] = $basket->pieces;
    header('Location: basket.php', true, 303);
    exit;
}
$title = 'Your basket';

require __DIR__ . '/templates/header.php';
?>
<p><?= $basket->count() ?> packets, together <?= number_format($basket->cents($catalogue) / 100, 2) ?> €.</p>
<form method="post" action="checkout.php">
  <label>E-mail <input type="email" name="email" required></label>
  <button>Order</button>
</form>
<?php require __DIR__ . '/templates/footer.php';
